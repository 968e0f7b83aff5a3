#include "http.h"

#include <algorithm>

// Boost 1.74 uses std::exchange without its header.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "core/ascii.h"

namespace warpshop::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
namespace ws = boost::beast::websocket;
using asio::ip::tcp;
using Error = beast::error_code;

constexpr auto kDrainTime = std::chrono::seconds(2);
constexpr size_t kDrainBytes = size_t{16} << 20;

class Server;

// One per open connection: counts it, for the whole server and for its address.
class Counted {
 public:
  Counted(Server& server, std::string address);
  ~Counted();
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Server& server() { return server_; }
  const std::string& address() const { return address_; }

 private:
  Server& server_;
  std::string address_;
};

class Server : public HttpServer {
 public:
  Server(HttpLimits most, HttpHandlers called)
      : limits(std::move(most)), handlers(std::move(called)) {}
  Status open(const std::string& address, uint16_t port);
  uint16_t port() const override { return port_; }
  void run() override {
    accept();
    io_.run();
  }
  void stop() override { io_.stop(); }
  void post(std::function<void()> work) override { asio::post(io_, std::move(work)); }
  void after(std::chrono::milliseconds delay, std::function<void()> work) override;
  size_t connections() const override { return open_; }
  bool is_proxy(const std::string& address) const {
    return std::find(limits.proxies.begin(), limits.proxies.end(), address) != limits.proxies.end();
  }

  const HttpLimits limits;
  const HttpHandlers handlers;

 private:
  friend class Counted;
  void accept();
  void accepted(tcp::socket socket);

  size_t open_ = 0;
  std::map<std::string, size_t> by_address_;
  uint16_t port_ = 0;
  asio::io_context io_{1};  // destroys all connections, which are counted above
  tcp::acceptor acceptor_{io_};
};

Counted::Counted(Server& server, std::string address)
    : server_(server), address_(std::move(address)) {
  ++server_.open_;
  ++server_.by_address_[address_];
}

Counted::~Counted() {
  --server_.open_;
  const auto found = server_.by_address_.find(address_);
  if (--found->second == 0) server_.by_address_.erase(found);
}

class WebSocket : public Socket, public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(tcp::socket socket, std::shared_ptr<Counted> counted, SocketHandlers handlers)
      : stream_(std::move(socket)), counted_(std::move(counted)), handlers_(std::move(handlers)) {}

  void run(const bhttp::request<bhttp::string_body>& request) {
    ws::stream_base::timeout timeout{};
    timeout.handshake_timeout = std::chrono::seconds(10);
    timeout.idle_timeout = counted_->server().limits.silence;
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(handlers_.most_bytes);
    stream_.async_accept(request, [self = shared_from_this()](Error error) {
      if (error) return;
      self->is_open_ = true;
      self->handlers_.opened(self);
      self->read();
    });
  }

  void send(std::shared_ptr<const std::string> text) override {
    if (!is_open_ || closing_ || dropped_) return;
    queued_ += text->size();
    if (queued_ > counted_->server().limits.queued_bytes) return drop();
    queue_.push_back(std::move(text));
    if (queue_.size() == 1) write();
  }

  void close(uint16_t code, const std::string& why) override {
    if (!is_open_ || closing_ || dropped_) return;
    // A reason has at most 123 bytes.
    closing_ = ws::close_reason(static_cast<ws::close_code>(code), why.substr(0, 120));
    if (queue_.empty()) send_close();
  }

 private:
  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](Error error, size_t) {
      // A write may have failed since the message came.
      if (error || !self->is_open_) return self->ended();
      if (!self->stream_.got_text()) {
        self->close(1003, "text expected");
      } else if (!self->closing_) {
        const auto data = self->buffer_.cdata();
        self->handlers_.message({static_cast<const char*>(data.data()), data.size()});
      }
      self->buffer_.consume(self->buffer_.size());
      if (self->is_open_) self->read();
    });
  }

  void write() {
    stream_.text(true);
    stream_.async_write(asio::buffer(*queue_.front()),
                        [self = shared_from_this()](Error error, size_t) {
                          if (error) return self->ended();
                          self->queued_ -= self->queue_.front()->size();
                          self->queue_.pop_front();
                          if (!self->is_open_) return;
                          if (!self->queue_.empty()) return self->write();
                          if (self->closing_) self->send_close();
                        });
  }

  void send_close() {
    stream_.async_close(*closing_, [self = shared_from_this()](Error) { self->ended(); });
  }

  // It does not read: what waits for it must not fill the memory. The read that waits ends it.
  void drop() {
    dropped_ = true;
    beast::get_lowest_layer(stream_).close();
  }

  void ended() {
    if (!std::exchange(is_open_, false)) return;
    handlers_.closed();
    handlers_ = {};
  }

  ws::stream<beast::tcp_stream, false> stream_;  // false: no compression
  std::shared_ptr<Counted> counted_;
  SocketHandlers handlers_;
  beast::flat_buffer buffer_;
  std::deque<std::shared_ptr<const std::string>> queue_;
  size_t queued_ = 0;
  bool is_open_ = false;
  bool dropped_ = false;
  std::optional<ws::close_reason> closing_;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, std::shared_ptr<Counted> counted)
      : stream_(std::move(socket)), counted_(std::move(counted)), buffer_(size_t{64} << 10) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(limits().header_bytes));
    parser_->body_limit(UINT64_MAX);  // until `admit` knows
    stream_.expires_after(limits().header_time);
    bhttp::async_read_header(stream_, buffer_, *parser_,
                             [self = shared_from_this()](Error error, size_t) {
                               if (error) return self->read_failed(error);
                               self->got_header();
                             });
  }

 private:
  const HttpLimits& limits() const { return counted_->server().limits; }
  const HttpHandlers& handlers() const { return counted_->server().handlers; }

  void got_header() {
    const auto& head = parser_->get();
    version_ = head.version();
    keep_alive_ = head.keep_alive();
    if (!fill_request(head)) return refuse({.status = 400, .body = "{}"});
    if (ws::is_upgrade(head)) return upgrade();
    std::variant<size_t, Response> admitted = handlers().admit(request_);
    if (auto* refusal = std::get_if<Response>(&admitted)) return refuse(std::move(*refusal));
    parser_->body_limit(std::get<size_t>(admitted));
    if (parser_->content_length() && *parser_->content_length() > std::get<size_t>(admitted))
      return read_failed(bhttp::error::body_limit);
    stream_.expires_after(limits().body_time);
    if (lower(std::string_view(head[bhttp::field::expect].data(),
                               head[bhttp::field::expect].size())) != "100-continue")
      return read_body();
    proceed_ = {};
    proceed_.result(bhttp::status::continue_);
    proceed_.version(version_);
    bhttp::async_write(stream_, proceed_, [self = shared_from_this()](Error error, size_t) {
      if (!error) self->read_body();
    });
  }

  void read_body() {
    bhttp::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, size_t) {
      if (error) return self->read_failed(error);
      self->got_request();
    });
  }

  bool fill_request(const bhttp::request<bhttp::string_body>& head) {
    request_ = {};
    request_.method = std::string(head.method_string());
    const std::string target(head.target());
    const size_t query = target.find('?');
    if (!decode_percent(target.substr(0, query), request_.path)) return false;
    if (!request_.path.starts_with('/')) return false;
    if (query != std::string::npos) request_.query = target.substr(query + 1);
    for (const auto& field : head)
      request_.headers.emplace_back(
          lower(std::string_view(field.name_string().data(), field.name_string().size())),
          std::string(field.value()));
    request_.address = counted_->address();
    if (counted_->server().is_proxy(request_.address)) {
      request_.secure = request_.header("x-forwarded-proto") == "https";
      // A proxy appends the address that it sees; the client may have invented what precedes it.
      const std::string_view chain = request_.header("x-forwarded-for");
      const size_t last = chain.rfind(',');
      std::string_view address = last == chain.npos ? chain : chain.substr(last + 1);
      while (address.starts_with(' ')) address.remove_prefix(1);
      if (!address.empty() && address.size() < 64) request_.address = address;
    }
    return true;
  }

  void got_request() {
    request_.body = std::move(parser_->get().body());
    stream_.expires_never();  // the handler has its own limits
    handlers().answer(std::move(request_), [self = shared_from_this()](Response response) mutable {
      Server& loop = self->counted_->server();
      loop.post([self = std::move(self), response = std::move(response)]() mutable {
        self->write(std::move(response));
      });
    });
  }

  void upgrade() {
    std::variant<SocketHandlers, Response> accepted = handlers().socket(request_);
    if (auto* refusal = std::get_if<Response>(&accepted)) return refuse(std::move(*refusal));
    stream_.expires_never();
    std::make_shared<WebSocket>(stream_.release_socket(), std::move(counted_),
                                std::move(std::get<SocketHandlers>(accepted)))
        ->run(parser_->release());
  }

  void read_failed(Error error) {
    if (error == bhttp::error::body_limit)
      return refuse({.status = 413, .body = R"({"message":"too large"})"});
    if (error == bhttp::error::header_limit)
      return refuse({.status = 431, .body = R"({"message":"the header is too large"})"});
    if (error == beast::error::timeout || error == bhttp::error::end_of_stream ||
        error == bhttp::error::partial_message ||
        error.category() == asio::error::get_misc_category() ||
        error.category() == boost::system::system_category())
      return;  // it is gone, or closed now
    refuse({.status = 400, .body = R"({"message":"this is not HTTP"})"});
  }

  void refuse(Response response) {
    keep_alive_ = false;
    drain_ = true;
    write(std::move(response));
  }

  void write(Response response) {
    response_ = {};
    kept_ = std::move(response);
    response_.version(version_);
    response_.result(static_cast<unsigned>(kept_.status));
    response_.reason(std::string(reason_of(kept_.status)));
    for (const auto& [name, value] : kept_.headers) response_.insert(name, value);
    const std::string& body = kept_.shared ? *kept_.shared : kept_.body;
    const bool none = kept_.status == 204 || kept_.status == 304;
    if (!none) response_.set(bhttp::field::content_type, kept_.type);
    response_.body() = none || kept_.no_body
                           ? boost::beast::span<const char>()
                           : boost::beast::span<const char>(body.data(), body.size());
    if (!none) response_.content_length(body.size());
    response_.keep_alive(keep_alive_);
    stream_.expires_after(limits().write_time);
    serializer_.emplace(response_);
    bhttp::async_write(stream_, *serializer_, [self = shared_from_this()](Error error, size_t) {
      self->kept_ = {};
      if (error) return;
      if (self->keep_alive_) return self->read();
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      if (self->drain_) self->drain();
    });
  }

  // Closing with unread data would discard the response on its way.
  void drain() {
    stream_.expires_after(kDrainTime);
    drain_some(0);
  }
  void drain_some(size_t so_far) {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(size_t{32} << 10),
                            [self = shared_from_this(), so_far](Error error, size_t got) {
                              if (!error && so_far < kDrainBytes) self->drain_some(so_far + got);
                            });
  }

  using Body = bhttp::span_body<const char>;
  beast::tcp_stream stream_;
  std::shared_ptr<Counted> counted_;
  beast::flat_buffer buffer_;
  std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
  Request request_;
  Response kept_;  // owns what response_ refers to
  bhttp::response<Body> response_;
  std::optional<bhttp::response_serializer<Body>> serializer_;
  bhttp::response<bhttp::empty_body> proceed_;
  unsigned version_ = 11;
  bool keep_alive_ = true;
  bool drain_ = false;
};

Status Server::open(const std::string& address, uint16_t port) {
  Error error;
  const auto ip = asio::ip::make_address(address, error);
  if (error) {
    return make_error("usage", sentence("not an IP address: {address}", {{"address", address}}),
                      sentence("127.0.0.1 is this machine alone, 0.0.0.0 all of its addresses"));
  }
  const tcp::endpoint place(ip, port);
  acceptor_.open(place.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(place, error);
  if (!error) acceptor_.listen(1024, error);
  if (error) {
    return make_error(
        "usage",
        sentence("cannot listen on {address}, port {port}: {why}",
                 {{"address", address}, {"port", port}, {"why", error.message()}}),
        error == asio::error::address_in_use
            ? sentence("another program has this port, perhaps another warpshop serve: end it, or "
                       "choose another --port")
        : error == asio::error::access_denied
            ? sentence("ports below 1024 are for root: choose another --port")
            : Sentence());
  }
  port_ = acceptor_.local_endpoint().port();
  return success();
}

void Server::accept() {
  acceptor_.async_accept([this](Error error, tcp::socket socket) {
    if (!error) {
      accepted(std::move(socket));
      return accept();
    }
    // Out of descriptors: wait until connections end.
    after(std::chrono::milliseconds(100), [this] { accept(); });
  });
}

void Server::accepted(tcp::socket socket) {
  Error error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return;
  asio::ip::address ip = peer.address();
  if (ip.is_v6() && ip.to_v6().is_v4_mapped())
    ip = asio::ip::make_address_v4(asio::ip::v4_mapped, ip.to_v6());
  std::string address = ip.to_string();
  const auto known = by_address_.find(address);
  const size_t of_address = known == by_address_.end() ? 0 : known->second;
  if (open_ >= limits.connections || (of_address >= limits.per_address && !is_proxy(address))) {
    handlers.log("refused a connection of " + address + ": too many are open");
    return;
  }
  socket.set_option(tcp::no_delay(true), error);
  std::make_shared<Connection>(std::move(socket),
                               std::make_shared<Counted>(*this, std::move(address)))
      ->read();
}

void Server::after(std::chrono::milliseconds delay, std::function<void()> work) {
  auto timer = std::make_shared<asio::steady_timer>(io_, delay);
  timer->async_wait([timer, work = std::move(work)](Error error) {
    if (!error) work();
  });
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const std::string& address, uint16_t port,
                                                       HttpLimits limits, HttpHandlers handlers) {
  auto server = std::make_unique<Server>(std::move(limits), std::move(handlers));
  const Status opened = server->open(address, port);
  if (!opened.ok()) return opened.errors();
  return std::unique_ptr<HttpServer>(std::move(server));
}

std::string_view reason_of(int status) {
  const auto reason = bhttp::obsolete_reason(static_cast<bhttp::status>(status));
  return {reason.data(), reason.size()};
}

bool decode_percent(std::string_view text, std::string& out) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  out.clear();
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '%') {
      if (at + 2 >= text.size()) return false;
      const int high = digit(text[at + 1]), low = digit(text[at + 2]);
      if (high < 0 || low < 0) return false;
      c = static_cast<char>(high * 16 + low);
      at += 2;
    }
    if (c == '\0') return false;
    out += c;
  }
  return true;
}

}  // namespace warpshop::serve
