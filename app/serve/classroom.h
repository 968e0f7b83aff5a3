// The live side of the class: all WebSockets, and which messages each receives.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "board.h"
#include "http.h"
#include "members.h"
#include "polls.h"
#include "store.h"

namespace warpshop::serve {

class Classroom {
 public:
  Classroom(Store& store, Members& members, LabsJson& labs, std::string title,
            std::function<void(const std::string&)> log);
  void load(Database& database);

  // The handlers of a new socket of this session.
  SocketHandlers socket(const Session& session, const std::string& token);
  // Called once per second: sends what has changed.
  void tick();

  void code_changed() { to_lecturers({{"type", "code"}}); }
  void kick(StudentId student, const std::string& why);  // a student who was removed
  void forget(const std::string& token);                 // a browser that has left
  void gpu_changed(nlohmann::json queue) { gpu_ = std::move(queue), gpu_due_ = true; }
  std::string csv() const { return board_.csv(); }
  size_t sockets() const { return peers_.size(); }

 private:
  struct Peer {
    Session session;
    std::string token;
    std::string page;  // vote, board, lecturer, lab
    std::shared_ptr<Socket> socket;
    double messages = 0;  // in the last moments: see admit()
    std::chrono::steady_clock::time_point at;
  };
  using PeerPtr = std::shared_ptr<Peer>;

  static bool admit(Peer& peer);
  void received(const PeerPtr& peer, std::string_view text);
  void lecturer_said(const PeerPtr& peer, const std::string& type, const nlohmann::json& message);
  void follow(const PeerPtr& peer, const nlohmann::json& message);
  void welcome(const PeerPtr& peer);
  void refuse(const PeerPtr& peer, const std::string& of, const std::string& why);
  void send_poll(const PeerPtr& peer);
  void send_gpu(Peer& peer);
  void poll_changed();
  void send(Peer& peer, const nlohmann::json& message);
  void to_lecturers(const nlohmann::json& message);
  Board::Online online() const;

  Store& store_;
  Members& members_;
  const std::string title_;
  std::function<void(const std::string&)> log_;
  Polls polls_;
  Board board_;
  nlohmann::json follow_ = {{"type", "follow"}, {"on", false}};
  nlohmann::json gpu_;
  std::set<PeerPtr> peers_;
  bool board_due_ = false, voted_due_ = false, gpu_due_ = false;
};

}  // namespace warpshop::serve
