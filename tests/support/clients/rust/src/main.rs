fn main() {
    let url = std::env::args().nth(1).expect("an address");
    print!("{}", reqwest::blocking::get(url).expect("an answer").text().expect("a body"));
}
