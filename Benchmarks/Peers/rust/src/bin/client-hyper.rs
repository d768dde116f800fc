//! The client of hyper with its default settings; over TLS with hyper-tls, which uses the system's OpenSSL.

use std::sync::Arc;

use hyper::body::HttpBody;
use hyper::client::connect::Connect;
use hyper::client::HttpConnector;
use hyper::header::CONTENT_LENGTH;
use hyper::{Body, Client, Method, Request, Uri};
use hyper_tls::HttpsConnector;
use kit::{checked, Error, Job, Load, Options};

/// Makes a client for a kind of connections.
trait Opening: Connect + Clone + Send + Sync + 'static {
    fn open(options: &Options) -> Result<Self, Error>;
}

impl Opening for HttpConnector {
    fn open(_: &Options) -> Result<Self, Error> {
        Ok(HttpConnector::new())
    }
}

impl Opening for HttpsConnector<HttpConnector> {
    fn open(options: &Options) -> Result<Self, Error> {
        let mut tls = native_tls::TlsConnector::builder();
        if let Some(roots) = &options.roots {
            tls.disable_built_in_roots(true);
            tls.add_root_certificate(native_tls::Certificate::from_pem(&std::fs::read(roots)?)?);
        }
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        Ok(HttpsConnector::from((tcp, tls.build()?.into())))
    }
}

struct HyperLoad<Connector> {
    client: Client<Connector>,
    url: Uri,
    job: Job,
}

impl<Connector: Opening> Load for HyperLoad<Connector> {
    fn open(options: Options) -> Result<Self, Error> {
        let client = Client::builder().build(Connector::open(&options)?);
        Ok(HyperLoad { client, url: options.url.parse()?, job: options.job })
    }

    fn retargeted(&self, options: Options) -> Result<Self, Error> {
        Ok(HyperLoad { client: self.client.clone(), url: options.url.parse()?, job: options.job })
    }
}

async fn exchange<Connector: Opening>(load: Arc<HyperLoad<Connector>>) -> Result<u64, Error> {
    match load.job {
        Job::Get { .. } => {
            let mut response = load.client.get(load.url.clone()).await?;
            let mut bytes = 0;
            while let Some(chunk) = response.body_mut().data().await {
                bytes += chunk?.len() as u64;
            }
            checked(response.status().as_u16(), bytes, &load.job)
        }
        Job::Upload { bytes, chunked } => {
            let mut request = Request::builder().method(Method::PUT).uri(load.url.clone());
            if !chunked {
                request = request.header(CONTENT_LENGTH, bytes);
            }
            let request = request.body(Body::wrap_stream(kit::chunks(bytes)))?;
            let response = load.client.request(request).await?;
            let status = response.status().as_u16();
            let answer = hyper::body::to_bytes(response.into_body()).await?;
            checked(status, kit::received(&answer), &load.job)
        }
    }
}

fn main() {
    let options = Options::parse(std::env::args().skip(1)).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1)
    });
    if options.url.starts_with("https:") {
        kit::run(options, exchange::<HttpsConnector<HttpConnector>>)
    } else {
        kit::run(options, exchange::<HttpConnector>)
    }
}
