//! The client reqwest with its default settings, which use the system's OpenSSL.

use std::sync::Arc;

use kit::{checked, Error, Job, Load, Options};
use reqwest::header::CONTENT_LENGTH;
use reqwest::{Body, Certificate, Client, Proxy, Url};

struct ReqwestLoad {
    client: Client,
    url: Url,
    job: Job,
}

impl Load for ReqwestLoad {
    fn open(options: Options) -> Result<Self, Error> {
        let mut builder = Client::builder();
        if let Some(roots) = &options.roots {
            let root = Certificate::from_pem(&std::fs::read(roots)?)?;
            builder = builder.tls_built_in_root_certs(false).add_root_certificate(root);
        }
        if let Some(proxy) = &options.proxy {
            builder = builder.proxy(Proxy::all(proxy)?);
        }
        Ok(ReqwestLoad { client: builder.build()?, url: options.url.parse()?, job: options.job })
    }

    fn retargeted(&self, options: Options) -> Result<Self, Error> {
        Ok(ReqwestLoad { client: self.client.clone(), url: options.url.parse()?, job: options.job })
    }
}

async fn exchange(load: Arc<ReqwestLoad>) -> Result<u64, Error> {
    match load.job {
        Job::Get { .. } => {
            let mut response = load.client.get(load.url.clone()).send().await?;
            let mut bytes = 0;
            while let Some(chunk) = response.chunk().await? {
                bytes += chunk.len() as u64;
            }
            checked(response.status().as_u16(), bytes, &load.job)
        }
        Job::Upload { bytes, chunked } => {
            let mut request = load.client.put(load.url.clone()).body(Body::wrap_stream(kit::chunks(bytes)));
            if !chunked {
                request = request.header(CONTENT_LENGTH, bytes);
            }
            let response = request.send().await?;
            let status = response.status().as_u16();
            checked(status, kit::received(&response.bytes().await?), &load.job)
        }
    }
}

fn main() {
    match Options::parse(std::env::args().skip(1)) {
        Ok(options) => kit::run(options, exchange),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1)
        }
    }
}
