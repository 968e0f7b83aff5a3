// HTTP/1.1 and WebSockets on one port, without knowing what is served. Everything here happens on
// the thread that calls run(); other threads use post(). http.cc is the only file that
// sees the library, Boost.Beast, whose headers take long to compile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.h"

namespace warpshop::serve {

struct Request {
  std::string method;   // "GET"
  std::string path;     // decoded, without the query: "/api/files/a b.cu"
  std::string query;    // not decoded
  std::string address;  // of the client; behind a trusted proxy, what that says
  bool secure = false;  // the client speaks TLS to the proxy
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
  // Held while the body is read, and as long as its handler keeps the request: see `admit`.
  std::shared_ptr<void> held;

  // Empty if there is none; of several, the first.
  std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::shared_ptr<const std::string> shared = {};  // a body that many responses share
  bool no_body = false;                            // to HEAD: only its length
};

// Sends the response. Call it exactly once, on any thread: until then the client waits.
using Reply = std::function<void(Response)>;

// The server's side of a WebSocket.
class Socket {
 public:
  virtual ~Socket() = default;
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text))); }
  // Closes after sending what is queued. RFC 6455, section 7.4, lists the codes.
  virtual void close(uint16_t code, const std::string& why) = 0;
};

struct SocketHandlers {
  size_t most_bytes = size_t{64} << 10;  // of a message
  std::function<void(std::shared_ptr<Socket>)> opened;
  std::function<void(std::string_view text)> message;  // valid UTF-8
  std::function<void()> closed;  // always the last, once, if `opened` was called
};

struct HttpLimits {
  size_t header_bytes = size_t{16} << 10;
  std::chrono::seconds header_time{15};  // from the connection, or the last response, to its end
  std::chrono::seconds body_time{60};
  std::chrono::seconds write_time{300};
  std::chrono::seconds silence{60};  // of a WebSocket; half of it without a message: it is pinged
  size_t connections = 4096;
  size_t per_address = 2048;                                // not of proxies
  size_t queued_bytes = size_t{4} << 20;                    // to a WebSocket that does not read
  std::vector<std::string> proxies = {"127.0.0.1", "::1"};  // whose X-Forwarded-… is believed
};

struct HttpHandlers {
  // Called before the body is read: returns the maximum size of the body, or a refusal.
  std::function<std::variant<size_t, Response>(Request& head)> admit;
  std::function<void(Request request, Reply reply)> answer;
  // Called for a request to open a WebSocket.
  std::function<std::variant<SocketHandlers, Response>(const Request& request)> socket;
  std::function<void(const std::string& line)> log;
};

class HttpServer {
 public:
  // Error: the address is not this machine's, or the port is taken or not allowed.
  static Result<std::unique_ptr<HttpServer>> listen(const std::string& address, uint16_t port,
                                                    HttpLimits limits, HttpHandlers handlers);
  virtual ~HttpServer() = default;
  virtual uint16_t port() const = 0;
  virtual void run() = 0;                             // until stop()
  virtual void stop() = 0;                            // on any thread
  virtual void post(std::function<void()> work) = 0;  // on any thread
  virtual void after(std::chrono::milliseconds delay, std::function<void()> work) = 0;
  virtual size_t connections() const = 0;
};

// Decodes percent-encoding, RFC 3986. False if it is malformed or contains a NUL.
bool decode_percent(std::string_view text, std::string& out);
std::string_view reason_of(int status);

}  // namespace warpshop::serve
