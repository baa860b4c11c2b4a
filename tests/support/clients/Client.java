import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Client {
  public static void main(String[] args) throws Exception {
    URI url = URI.create(args[1]);
    if (args[0].equals("connection")) System.out.write(url.toURL().openStream().readAllBytes());
    else System.out.print(HttpClient.newHttpClient().send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body());
    System.out.flush();
  }
}
