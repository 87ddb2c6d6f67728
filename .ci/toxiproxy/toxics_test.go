// Package toxics gives the toxics that bullring writes to Toxiproxy's server, and sends
// bytes through one of them.
package toxics

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	client "github.com/Shopify/toxiproxy/v2/client"
	"github.com/rs/zerolog"
)

var bullring = flag.String("bullring", "../../bullring", "the program whose toxics are taken")

// api starts Toxiproxy's server and returns its address.
func api(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	host, port, _ := net.SplitHostPort(address)
	go toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()).Listen(host, port)
	for range 600 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("Toxiproxy's server does not listen")
	return ""
}

// toxics are the lines that bullring writes for a line of a link.
func toxics(t *testing.T, line string) [][]byte {
	program, err := filepath.Abs(*bullring)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "link", line, "--as", "toxiproxy").Output()
	if err != nil {
		t.Fatalf("link %s: %v", line, err)
	}
	return bytes.Split(bytes.TrimSpace(out), []byte("\n"))
}

// post posts a toxic and returns the answer of the server.
func post(t *testing.T, api, proxy string, toxic []byte) map[string]any {
	answer, err := http.Post("http://"+api+"/proxies/"+proxy+"/toxics", "application/json", bytes.NewReader(toxic))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s, %v", toxic, answer.Status, text, err)
	}
	return object(t, text)
}

func object(t *testing.T, text []byte) map[string]any {
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// The server takes each toxic as it is, and knows every attribute of it.
func TestServerTakesToxics(t *testing.T) {
	api := api(t)
	c := client.NewClient(api)
	for i, line := range []string{"delay 20ms 5ms", "wan", "3g", "rate 1mbit", "loss 100%", "delay 1ms rate 8mbit loss 100%"} {
		name := fmt.Sprint("link", i)
		proxy, err := c.CreateProxy(name, "127.0.0.1:0", "127.0.0.1:1")
		if err != nil {
			t.Fatal(err)
		}
		list := toxics(t, line)
		for _, toxic := range list {
			if got, want := post(t, api, name, toxic), object(t, toxic); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the server has %v; it was told %v", line, got, want)
			}
		}
		if there, err := proxy.Toxics(); err != nil || len(there) != len(list) {
			t.Errorf("%s: the server has %v, %v; it was told %d", line, there, err, len(list))
		}
	}
	t.Logf("taken      Toxiproxy's server")
}

// A message takes at least the latency from the sender to the receiver. It takes none back.
func TestLatency(t *testing.T) {
	receiver, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer receiver.Close()
	api := api(t)
	proxy, err := client.NewClient(api).CreateProxy("link", "127.0.0.1:0", receiver.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, toxic := range toxics(t, "delay 120ms") {
		post(t, api, "link", toxic)
	}
	arrived := make(chan error, 1)
	go func() {
		c, err := receiver.Accept()
		if err == nil {
			defer c.Close()
			_, err = io.ReadFull(c, make([]byte, 8))
		}
		arrived <- err
	}()
	sender, err := net.Dial("tcp", proxy.Listen)
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close()
	sent := time.Now()
	if _, err := sender.Write([]byte("ELECTION")); err != nil {
		t.Fatal(err)
	}
	if err := <-arrived; err != nil {
		t.Fatal(err)
	}
	if d := time.Since(sent); d < 120*time.Millisecond {
		t.Errorf("the message arrived after %v; the latency is 120ms", d)
	}
}
