// The program that SweepTests sends requests to, on Node's own server: node echo.js PORT
const http = require("http");
const big = Buffer.from(Array.from({ length: 1 << 20 }, (_, index) => index % 251));
const files = { "/small.txt": "small\n", "/big.bin": big };
http.createServer((request, response) => {
    if (request.method === "POST") return request.pipe(response);
    response.end(files[request.url]);
}).listen(Number(process.argv[2]), "127.0.0.1");
