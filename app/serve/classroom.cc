#include "classroom.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "core/utf8.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostBytes = size_t{16} << 10;             // of a student's message
constexpr size_t kMostBytesOfLecturer = size_t{128} << 10;  // "follow" carries a source
constexpr size_t kMostSockets = 8;                          // of one session
constexpr double kMessagesPerSecond = 10;
constexpr double kMostMessages = 60;  // at once
constexpr int kDepth = 8;

// No value if the text is not a JSON object with a type, or is nested too deeply.
Json parsed(std::string_view text) {
  bool deep = false;
  Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > kDepth;
        return !deep;
      },
      false);
  if (deep || !json.is_object() || !json.contains("type") || !json["type"].is_string())
    return nullptr;
  return json;
}

}  // namespace

Classroom::Classroom(Store& store, Members& members, LabsJson& labs, std::string title,
                     std::function<void(const std::string&)> log)
    : store_(store),
      members_(members),
      title_(std::move(title)),
      log_(std::move(log)),
      polls_(
          store, [this] { poll_changed(); }, [this] { voted_due_ = true; }),
      board_(store, members, labs) {}

void Classroom::load(Database& database) {
  polls_.load(database);
  board_.load(database);
  Query query = database.query("SELECT value FROM settings WHERE key = 'follow'");
  if (!query.step()) return;
  Json kept = Json::parse(query.text(0), nullptr, false);
  if (kept.is_object()) follow_ = std::move(kept);
}

SocketHandlers Classroom::socket(const Session& session, const std::string& token) {
  auto peer = std::make_shared<Peer>();
  peer->session = session;
  peer->token = token;
  SocketHandlers out;
  out.most_bytes = session.lecturer ? kMostBytesOfLecturer : kMostBytes;
  out.opened = [this, peer](std::shared_ptr<Socket> socket) {
    peer->socket = std::move(socket);
    std::vector<PeerPtr> same;
    for (const PeerPtr& other : peers_) {
      if (other->token == peer->token) same.push_back(other);
    }
    if (same.size() >= kMostSockets) {
      send(*peer, {{"type", "kicked"}, {"why", "too many windows of this browser are open"}});
      peer->socket->close(1008, "too many sockets");
      return;
    }
    peers_.insert(peer);
    if (peer->session.student != 0) members_.saw(peer->session.student);
    welcome(peer);
    board_due_ = true;
  };
  out.message = [this, peer](std::string_view text) { received(peer, text); };
  out.closed = [this, peer] {
    if (peer->session.student != 0) members_.saw(peer->session.student);
    peers_.erase(peer);
    peer->socket.reset();
    board_due_ = true;
  };
  return out;
}

// A leaky bucket.
bool Classroom::admit(Peer& peer) {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - peer.at).count();
  peer.at = now;
  peer.messages = std::max(0.0, peer.messages - kMessagesPerSecond * seconds) + 1;
  return peer.messages <= kMostMessages;
}

void Classroom::received(const PeerPtr& peer, std::string_view text) {
  if (peers_.count(peer) == 0) return;
  if (!admit(*peer)) {
    log_("closed a socket: too many messages");
    peer->socket->close(1008, "too many messages");
    return;
  }
  const Json message = parsed(text);
  if (message.is_null()) {
    peer->socket->close(1007, "a JSON object with a type is expected");
    return;
  }
  const std::string type = message["type"];
  const StudentId student = peer->session.student;
  if (student != 0) members_.saw(student);
  if (type == "hello") {
    const auto page = message.find("page");
    if (page != message.end() && page->is_string())
      peer->page = page->get<std::string>().substr(0, 20);
    send_poll(peer);
    board_due_ = true;
  } else if (type == "at") {
    if (student != 0 && board_.at(student, message)) board_due_ = true;
  } else if (type == "vote") {
    if (student == 0) return refuse(peer, type, "only students vote");
    polls_.vote(student, message, [this, peer, type](const std::optional<std::string>& wrong) {
      if (wrong) return refuse(peer, type, *wrong);
      // All devices of this student show it.
      for (const PeerPtr& other : peers_) {
        if (other->session.student == peer->session.student) send_poll(other);
      }
    });
  } else if (peer->session.lecturer) {
    lecturer_said(peer, type, message);
  } else {
    refuse(peer, type.substr(0, 40), "only the lecturer may do this");
  }
}

void Classroom::lecturer_said(const PeerPtr& peer, const std::string& type, const Json& message) {
  const Polls::Done done = [this, peer, type](const std::optional<std::string>& wrong) {
    if (wrong) refuse(peer, type, *wrong);
  };
  if (type == "follow") return follow(peer, message);
  if (type == "poll-open") return polls_.open(message, done);
  if (!type.starts_with("poll-")) return refuse(peer, type.substr(0, 40), "unknown message");
  // Another lecturer may just have ended the question that this one sees.
  if (!polls_.is_current(message)) return refuse(peer, type, "this question is over");
  if (type == "poll-close") return polls_.close(done);
  if (type == "poll-open-again") return polls_.open_again(done);
  if (type == "poll-reveal") return polls_.reveal(done);
  if (type == "poll-again") return polls_.ask_again(done);
  if (type == "poll-end") return polls_.end(done);
  refuse(peer, type.substr(0, 40), "unknown message");
}

void Classroom::follow(const PeerPtr& peer, const Json& message) {
  Json next = {{"type", "follow"}, {"on", message.value("on", Json(false)) == Json(true)}};
  if (next["on"] == Json(true)) {
    for (const char* key : {"lab", "step", "source"}) {
      const auto found = message.find(key);
      if (found == message.end() || found->is_null()) continue;
      if (!found->is_string()) return refuse(peer, "follow", std::string(key) + ": text expected");
      next[key] = *found;
    }
    if (!next.contains("lab") || !next.contains("step"))
      return refuse(peer, "follow", "a lab and a step are expected");
  }
  store_.run(
      [next](Database& database) {
        database.query("INSERT OR REPLACE INTO settings (key, value) VALUES ('follow', ?)")
            .bind(json_text(next))
            .run();
      },
      [this, peer, next](const Store::Problem& problem) {
        if (problem) return refuse(peer, "follow", problem->message.english());
        follow_ = next;
        const auto text = std::make_shared<const std::string>(json_text(next));
        for (const PeerPtr& other : peers_) other->socket->send(text);
      });
}

void Classroom::welcome(const PeerPtr& peer) {
  const Session& session = peer->session;
  const Student* student = members_.find(session.student);
  Json out = {
      {"type", "welcome"},
      {"class", title_},
      {"lecturer", session.lecturer},
      {"student", student != nullptr ? Json(student->id) : Json(nullptr)},
      {"name", student != nullptr ? Json(student->name) : Json(nullptr)},
      {"follow", follow_},
      {"poll", polls_.message(session.lecturer ? Polls::Reader::kLecturer : Polls::Reader::kStudent,
                              session.student)}};
  if (session.lecturer) out["students"] = board_.students_message(online())["students"];
  send(*peer, out);
  send_gpu(*peer);
  send(*peer, board_.board_message(online()));
}

void Classroom::refuse(const PeerPtr& peer, const std::string& of, const std::string& why) {
  if (peers_.count(peer) != 0) send(*peer, {{"type", "refused"}, {"of", of}, {"message", why}});
}

void Classroom::send_poll(const PeerPtr& peer) {
  Polls::Reader reader = Polls::Reader::kStudent;
  // The projector hides the answer even if a lecturer opened its page.
  if (peer->page == "board") {
    reader = Polls::Reader::kBoard;
  } else if (peer->session.lecturer && peer->page != "vote") {
    reader = Polls::Reader::kLecturer;
  }
  Json message = polls_.message(reader, peer->session.student);
  if (message.is_null()) message = {{"type", "poll"}, {"state", "none"}};
  send(*peer, message);
}

// Who else waits, and what a worker says that fails, is for the lecturer only.
void Classroom::send_gpu(Peer& peer) {
  if (gpu_.is_null()) return;
  Json message = gpu_;
  if (!peer.session.lecturer) message.erase("problem");
  for (Json& job : message["queue"]) {
    if (!peer.session.lecturer) job.erase("name");
    job["mine"] = job["student"] == peer.session.student;
    job.erase("student");
  }
  send(peer, message);
}

void Classroom::poll_changed() {
  for (const PeerPtr& peer : peers_) send_poll(peer);
}

void Classroom::tick() {
  board_.save();
  if (std::exchange(voted_due_, false)) {
    for (const PeerPtr& peer : peers_) {
      if (peer->session.lecturer || peer->page == "board") send_poll(peer);
    }
  }
  if (std::exchange(gpu_due_, false)) {
    for (const PeerPtr& peer : peers_) send_gpu(*peer);
  }
  if (!std::exchange(board_due_, false)) return;
  const Board::Online here = online();
  const auto board = std::make_shared<const std::string>(json_text(board_.board_message(here)));
  std::shared_ptr<const std::string> students;
  for (const PeerPtr& peer : peers_) {
    // Phones do not show it.
    if (peer->page == "board" || peer->session.lecturer) peer->socket->send(board);
    if (!peer->session.lecturer) continue;
    if (!students)
      students = std::make_shared<const std::string>(json_text(board_.students_message(here)));
    peer->socket->send(students);
  }
}

void Classroom::kick(StudentId student, const std::string& why) {
  board_.remove(student);
  for (const PeerPtr& peer : std::set<PeerPtr>(peers_)) {
    if (peer->session.student != student || peer->session.lecturer) continue;
    send(*peer, {{"type", "kicked"}, {"why", why}});
    peer->socket->close(1008, "removed");
  }
  board_due_ = true;
}

void Classroom::forget(const std::string& token) {
  for (const PeerPtr& peer : std::set<PeerPtr>(peers_)) {
    if (peer->token == token) peer->socket->close(1000, "left");
  }
}

void Classroom::send(Peer& peer, const Json& message) {
  if (peer.socket) peer.socket->send(json_text(message));
}

void Classroom::to_lecturers(const Json& message) {
  for (const PeerPtr& peer : peers_) {
    if (peer->session.lecturer) send(*peer, message);
  }
}

Board::Online Classroom::online() const {
  Board::Online out;
  for (const PeerPtr& peer : peers_) {
    if (members_.find(peer->session.student) != nullptr) out.insert(peer->session.student);
  }
  return out;
}

}  // namespace warpshop::serve
