//! Small servers on real sockets.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};

/// A server that runs until the test ends.
pub struct Served {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Served {
    pub fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The heads of the requests that came.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// A port where nobody listens.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Answers each connection's first request with bytes, and closes it.
pub fn raw(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Served {
    serve(move |mut stream, heads| {
        let head = head(&mut stream);
        let bytes = answer(&head);
        heads.lock().unwrap().push(head);
        let _ = stream.write_all(&bytes);
    })
}

/// Answers everything with this JSON.
pub fn json(body: &'static str) -> Served {
    raw(move |_| response(body))
}

fn response(body: &str) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn serve(handle: impl Fn(TcpStream, &Mutex<Vec<String>>) + Send + 'static) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            handle(stream, &seen);
        }
    });
    Served { port, heads }
}

/// Up to the empty line, or the first byte of TLS.
fn head(stream: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        bytes.push(byte[0]);
        if bytes == [0x16] {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is wrong with a server's certificate.
#[derive(Clone, Copy)]
pub enum Certificate {
    Good,
    Expired,
    OtherName,
}

fn issuer() -> (Issuer<'static, KeyPair>, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// The PEM of an authority that signed nothing.
pub fn authority() -> String {
    issuer().1
}

/// A TLS server and the PEM of its authority.
pub fn tls(certificate: Certificate, body: &'static str) -> (Served, String) {
    let (issuer, authority) = issuer();
    let name =
        if matches!(certificate, Certificate::OtherName) { "other.example" } else { "127.0.0.1" };
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    if matches!(certificate, Certificate::Expired) {
        params.not_after = date_time_ymd(2020, 1, 1);
    }
    let key = KeyPair::generate().unwrap();
    let signed = params.signed_by(&key, &issuer).unwrap();
    let secret = rustls::pki_types::PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![signed.der().clone()], secret)
        .unwrap();
    let config = Arc::new(config);
    let served = serve(move |stream, heads| {
        let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut stream = rustls::StreamOwned::new(connection, stream);
        let head = head(&mut stream);
        if !head.is_empty() {
            heads.lock().unwrap().push(head);
            let _ = stream.write_all(&response(body));
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    (served, authority)
}
