package main

import "io"

// repeatedChunks is the content of an upload: a repeated chunk of 64 KiB. It costs its producer nothing if the reader
// can write its bytes itself (io.WriterTo), and one copy otherwise.
type repeatedChunks struct{ remaining int64 }

var chunk [64 * 1024]byte

func (chunks *repeatedChunks) next() []byte {
	if chunks.remaining < int64(len(chunk)) {
		return chunk[:chunks.remaining]
	}
	return chunk[:]
}

func (chunks *repeatedChunks) Read(buffer []byte) (int, error) {
	if chunks.remaining == 0 {
		return 0, io.EOF
	}
	count := copy(buffer, chunks.next())
	chunks.remaining -= int64(count)
	return count, nil
}

func (chunks *repeatedChunks) WriteTo(writer io.Writer) (written int64, err error) {
	for chunks.remaining > 0 && err == nil {
		var count int
		count, err = writer.Write(chunks.next())
		chunks.remaining -= int64(count)
		written += int64(count)
	}
	return written, err
}
