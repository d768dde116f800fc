package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// client is net/http with the settings of its default transport, except for the trusted root and the maximum of open
// and kept connections, of which the default keeps two.
type client struct {
	options options
	http    *http.Client
}

func newClient(options options) (*client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = options.connections
	transport.MaxIdleConnsPerHost = options.connections
	transport.MaxConnsPerHost = options.connections
	if options.roots != "" {
		pem, err := os.ReadFile(options.roots)
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			return nil, errors.New("no certificate in " + options.roots)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	if options.proxy != "" {
		// net/http's socks5 always lets the proxy resolve names, which others call socks5h.
		proxy, err := url.Parse(strings.Replace(options.proxy, "socks5h:", "socks5:", 1))
		if err != nil {
			return nil, err
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return &client{options, &http.Client{Transport: transport}}, nil
}

// retargeted returns the same client, with the same connections, for other requests.
func (c *client) retargeted(options options) *client { return &client{options, c.http} }

// exchange sends one request, reads the whole response, checks it and returns the number of body bytes moved.
func (c *client) exchange() (int64, error) {
	if c.options.job.isUpload {
		return c.upload()
	}
	response, err := c.http.Get(c.options.url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	bytes, err := io.Copy(io.Discard, response.Body)
	if err != nil {
		return 0, err
	}
	return c.checked(response.StatusCode, bytes)
}

func (c *client) upload() (int64, error) {
	var body io.Reader = &repeatedChunks{remaining: c.options.job.bytes}
	if c.options.uploadFile != "" {
		file, err := os.Open(c.options.uploadFile)
		if err != nil {
			return 0, err
		}
		defer file.Close()
		body = file
	}
	request, err := http.NewRequest(http.MethodPut, c.options.url, body)
	if err != nil {
		return 0, err
	}
	request.ContentLength = c.options.job.bytes
	if c.options.job.chunked {
		request.ContentLength = -1
	}
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	// The number of received bytes in the server's answer.
	bytes, err := strconv.ParseInt(string(answer), 10, 64)
	if err != nil {
		return 0, err
	}
	return c.checked(response.StatusCode, bytes)
}

func (c *client) checked(status int, bytes int64) (int64, error) {
	if status != http.StatusOK {
		return 0, fmt.Errorf("status %d", status)
	}
	if bytes != c.options.job.bytes {
		return 0, fmt.Errorf("%d bytes, not %d", bytes, c.options.job.bytes)
	}
	return bytes, nil
}
