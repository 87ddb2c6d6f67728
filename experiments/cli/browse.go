package cli

import (
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// browserPatience is how long browse waits for the program to fail. A browser that stays in
// the foreground goes on.
const browserPatience = 3 * time.Second

// openers are the programs that show a file in the browser, by platform.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// browse shows a file in the browser of the platform.
func browse(path string) error {
	command, known := openers[runtime.GOOS]
	if !known {
		command = []string{"xdg-open"}
	}
	browser := exec.Command(command[0], append(command[1:len(command):len(command)], path)...)
	if err := browser.Start(); err != nil {
		return exit{statusFailed, fmt.Errorf("--open: no browser could be started: %w; the page is %s", err, path)}
	}
	failed := make(chan error, 1)
	go func() { failed <- browser.Wait() }()
	select {
	case err := <-failed:
		if err != nil {
			return exit{statusFailed, fmt.Errorf("--open: %s: %w; the page is %s", command[0], err, path)}
		}
	case <-time.After(browserPatience):
	}
	return nil
}
