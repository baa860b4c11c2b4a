fn main() {
    let url = std::env::args().nth(1).expect("an address");
    print!("{}", reqwest::blocking::get(url).expect("a response").text().expect("a body"));
}
