// The routes of the server: pages, files, and the API. docs/serving.md lists them.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "classroom.h"
#include "compile_pool.h"
#include "http.h"
#include "labs_json.h"
#include "members.h"
#include "secrets.h"
#include "serve/serve.h"
#include "static_files.h"
#include "store.h"
#include "student_files.h"

namespace warpshop::serve {

class GpuQueue;

// What the API works on. In --compile-only there is only the pool.
struct ApiParts {
  CompilePool* pool = nullptr;
  Store* store = nullptr;
  Members* members = nullptr;
  Classroom* classroom = nullptr;
  StudentFiles* files = nullptr;
  LabsJson* labs = nullptr;
  GpuQueue* gpus = nullptr;  // null: no workers
};

class Api {
 public:
  Api(const ServeOptions& options, const ApiParts& parts,
      std::function<void(const std::string&)> log);

  std::variant<size_t, Response> admit(Request& head);
  void answer(Request request, Reply reply);
  std::variant<SocketHandlers, Response> socket(const Request& request);

  std::string code;  // to join
  std::string lecturer_token;
  std::vector<std::string> addresses;  // of the join page
  StudentId only_student = 0;          // of --one-user

 private:
  struct Caller {
    std::string token;
    Session session;
  };
  using Handler = void (Api::*)(const Caller&, Request&, const Reply&);
  struct Route {
    const char* method;
    const char* path;
    Handler handler;
    enum class For { kAnybody, kMember, kStudent, kLecturer } who;
  };
  static const std::vector<Route>& routes();

  Caller caller_of(const Request& request) const;
  bool is_from_here(const Request& request) const;
  bool is_host_of_ours(const Request& request) const;
  // No value if the caller may use the route.
  std::optional<Response> refusal(const Route& route, const Caller& caller,
                                  const Request& request) const;
  // Nothing: the body may be read.
  std::optional<Response> admit_large(StudentId student, Request& head);
  static const Route* route_of(const Request& request);
  void page(const Request& request, const Reply& reply);
  bool may_guess(const Request& request, const Reply& reply);
  Response with_cookie(const Request& request, const std::string& token,
                       const nlohmann::json& body) const;

  void health(const Caller&, Request&, const Reply&);
  void me(const Caller&, Request&, const Reply&);
  void join(const Caller&, Request&, const Reply&);
  void leave(const Caller&, Request&, const Reply&);
  void lecturer(const Caller&, Request&, const Reply&);
  void class_info(const Caller&, Request&, const Reply&);
  void class_csv(const Caller&, Request&, const Reply&);
  void qr(const Caller&, Request&, const Reply&);
  void new_code(const Caller&, Request&, const Reply&);
  void new_key(const Caller&, Request&, const Reply&);
  void remove(const Caller&, Request&, const Reply&);
  void labs(const Caller&, Request&, const Reply&);
  void compile(const Caller&, Request&, const Reply&);
  void list_files(const Caller&, Request&, const Reply&);
  void file(const Caller&, Request&, const Reply&);
  void versions(const Caller&, Request&, const Reply&);

  const ServeOptions options_;
  const ApiParts parts_;
  std::function<void(const std::string&)> log_;
  StaticFiles static_files_;
  std::filesystem::path pages_, web_edition_;
  Guesses guesses_;
  struct Large {
    size_t all = 0;
    std::map<StudentId, size_t> of_student;
  };
  std::shared_ptr<Large> large_ = std::make_shared<Large>();  // requests now read or answered
};

}  // namespace warpshop::serve
