package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// page is a page in a tab of its own.
type page struct {
	*testing.T
	ctx     context.Context
	address string
	own     string // the folder whose files it may load, "" for none

	mu         sync.Mutex
	requests   []string
	complaints []string
}

// open opens a file in a new tab. What is to hold before it loads, a narrow screen for one, is in
// before. At the end of its test the page must have asked for nothing and complained of nothing.
func open(t *testing.T, file string, before ...chromedp.Action[chromedp.Void]) *page {
	t.Helper()
	p, leave := visit(t, file, before...)
	t.Cleanup(func() {
		leave()
		for _, fault := range p.faults() {
			t.Error(fault)
		}
	})
	return p
}

// visit is open without that rule.
func visit(t *testing.T, file string, before ...chromedp.Action[chromedp.Void]) (p *page, leave func()) {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	name, fragment, _ := strings.Cut(file, "#")
	address := url.URL{Scheme: "file", Path: name}
	p = &page{T: t, ctx: ctx, address: address.String()}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	enable(p, network.Enable, network.EnableParams{})
	enable(p, log.Enable, cdp.Empty{})
	enable(p, audits.Enable, cdp.Empty{})
	address.Fragment = fragment
	p.do(append(before, chromedp.Navigate(address.String()))...)
	return p, cancel
}

// faults lists the requests and the complaints of the page. It must have none.
func (p *page) faults() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, request := range p.requests {
		if request != p.address && !strings.HasPrefix(request, "data:") && (p.own == "" || !strings.HasPrefix(request, "file://"+p.own+"/")) {
			all = append(all, "the page asks for "+request)
		}
	}
	for _, complaint := range p.complaints {
		all = append(all, "the page complains: "+complaint)
	}
	return all
}

func enable[P any](p *page, command cdp.Command[P, cdp.Empty], params P) {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, command, params); err != nil {
		p.Fatal(command.Method, err)
	}
}

// listen notes the requests, errors, warnings and violated policies of the page.
func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text = thrown.Description
		}
		p.complaints = append(p.complaints, text)
	case *runtime.EventConsoleAPICalled:
		p.complaints = append(p.complaints, fmt.Sprintf("console.%s of %d values", e.Type, len(e.Args)))
	case *log.EventEntryAdded:
		p.complaints = append(p.complaints, e.Entry.Text)
	case *audits.EventIssueAdded:
		if e.Issue.Code != audits.InspectorIssueCodeLazyLoadImageIssue { // pictures of a report load when they come into view
			p.complaints = append(p.complaints, string(e.Issue.Code))
		}
	}
}

// do takes steps, each within the limit.
func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	for _, step := range steps {
		ctx, cancel := context.WithTimeout(p.ctx, limit)
		err := chromedp.Do(ctx, step)
		cancel()
		if err != nil {
			p.Fatal(err)
		}
	}
}

// js evaluates an expression in the page.
func js[T any](p *page, expression string) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		what, _, _ := strings.Cut(strings.TrimSpace(expression), "\n")
		p.Fatalf("%s...: %v", what, err)
	}
	return value
}

// text is the visible text of an element.
func (p *page) text(selector string) string {
	p.Helper()
	return js[string](p, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// click clicks in the middle of an element, as a mouse does.
func (p *page) click(selector string) {
	p.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// press presses keys as a keyboard does: a page that takes a key for itself gets no letter of
// it. chromedp.KeyEvent sends the letter in any case.
func (p *page) press(keys ...string) {
	p.Helper()
	for _, key := range strings.Join(keys, "") {
		events := kb.Encode(key)
		events[0].Type = input.DispatchKeyEventTypeKeyDown
		events = slices.DeleteFunc(events, func(e *input.DispatchKeyEventParams) bool {
			if e.Type == input.DispatchKeyEventTypeChar {
				events[0].Text = e.Text
			}
			return e.Type == input.DispatchKeyEventTypeChar
		})
		for _, e := range events {
			p.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
				_, err := cdp.Call(ctx, tab, input.DispatchKeyEvent, *e)
				return err
			}))
		}
	}
}

// until waits for a condition: animations and repaints come a frame later. WaitVisible of
// chromedp is not used, for it hung on such pages.
func (p *page) until(condition string) {
	p.Helper()
	for begin := time.Now(); !js[bool](p, condition); time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > limit {
			p.Fatalf("after %v this is still not so: %s", limit, condition)
		}
	}
}

// settled waits until the page has painted what is due.
const settled = `await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));`

// pixels reads a canvas by way of another one, which the page does not notice.
const pixels = `const pixels = canvas => {
	const copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height}).getContext("2d", {willReadFrequently: true});
	copy.drawImage(canvas, 0, 0);
	return new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
};`

// drawn counts the pixels of a canvas that are not empty.
func (p *page) drawn(selector string) int {
	p.Helper()
	return js[int](p, fmt.Sprintf(`(async () => { %s %s return pixels(document.querySelector(%q)).reduce((n, v) => n + (v !== 0), 0); })()`, settled, pixels, selector))
}

// A page that does what no page may is noticed.
func TestPagesAreWatched(t *testing.T) {
	for name, html := range map[string]string{
		"asks for a picture": `<img src="http://127.0.0.1:9/x.png">`,
		"asks for a file":    `<link rel="stylesheet" href="beside.css">`,
		"logs":               `<script>console.log("a word")</script>`,
		"throws":             `<script>undefined.x</script>`,
		"rejects":            `<script>Promise.reject(new Error("no"))</script>`,
		"breaks its policy":  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><script>1</script>`,
	} {
		file := filepath.Join(folder, "watched.html")
		if err := os.WriteFile(file, []byte("<!DOCTYPE html><title>watched</title>"+html), 0o644); err != nil {
			t.Fatal(err)
		}
		p, leave := visit(t, file)
		js[int](p, `new Promise(done => setTimeout(done, 50, 0))`)
		leave()
		if faults := p.faults(); len(faults) == 0 {
			t.Errorf("a page that %s is not noticed", name)
		}
	}
}
