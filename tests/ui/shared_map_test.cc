// Rows and columns of shared memory, worked out by hand.
#include "maps/shared_map.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace warpshop::ui {
namespace {

// A block with `float tile[4][5]` at byte 0, followed by `extern double more[]`: 80 + 32 bytes.
struct SharedFixture {
  lab::FilmScript film;
  emulator::ReplayState state;
  std::vector<lab::SharedShape> shapes;
  std::vector<emulator::AccessSite> sites = std::vector<emulator::AccessSite>(2);

  SharedFixture() {
    film.shared_arrays = {{"tile", 0, 80}, {"more", 80, 0}};
    state.shared.resize(112);
    state.shared_written.assign(28, true);
    shapes = {{"tile", "float", ptx::Type::kF32, 4, {4, 5}},
              {"more", "double", ptx::Type::kF64, 8, {0}}};
    sites[1].kind = emulator::AccessKind::kStore;
  }
  void put(size_t at, float value) { std::memcpy(state.shared.data() + at, &value, 4); }
  // Lane l reads or writes word `first` + `step` × l.
  void access(uint32_t site, uint64_t first, uint64_t step, uint32_t mask) {
    emulator::ReplayAccess& a = state.accesses.emplace_back();
    a.site = site;
    a.space = ptx::Space::kShared;
    a.mask = mask;
    for (size_t lane = 0; lane < 32; ++lane) a.address[lane] = 4 * (first + step * lane);
  }
};

TEST(SharedMap, ArraysHaveTheRowsAndColumnsOfTheirDeclarations) {
  const SharedFixture f;
  const auto grids = shared_grids(f.film, f.state, f.shapes);
  ASSERT_EQ(grids.size(), 2u);
  EXPECT_EQ(grids[0].declared, "float tile[4][5]");
  EXPECT_EQ(grids[0].columns, 5u);
  EXPECT_EQ(grids[0].rows(), 4u);
  EXPECT_EQ(grids[0].index_of(13), "[2][3]");
  EXPECT_EQ(grids[1].declared, "double more[]");
  EXPECT_EQ(grids[1].elements, 4u);  // the launch's 32 dynamic bytes
  EXPECT_EQ(grids[1].index_of(3), "[3]");
  EXPECT_FALSE(grids[0].row_is_all_banks);
}

TEST(SharedMap, AnArrayOfThreeDimensionsIsItsRowsOneAfterTheOther) {
  SharedFixture f;
  f.shapes[0].counts = {2, 2, 5};
  const SharedGrid grid = shared_grids(f.film, f.state, f.shapes).front();
  EXPECT_EQ(grid.rows(), 4u);
  EXPECT_EQ(grid.index_of(13), "[1][0][3]");
}

TEST(SharedMap, WithoutADeclarationTheInstructionsSayWhatTheWordsAre) {
  SharedFixture f;
  f.film.shared_arrays = {{"words", 0, 112}};
  f.film.functions = {{{1, 1, "mov.u32 %r1, 0"}, {2, 2, "@%p1 st.shared.f32 [%r1], %f1"}}};
  const SharedGrid grid = shared_grids(f.film, f.state, {}).front();
  EXPECT_EQ(grid.declared, "words");
  EXPECT_EQ(grid.type, ptx::Type::kF32);
  EXPECT_EQ(grid.elements, 28u);
  EXPECT_EQ(grid.columns, 28u);
}

TEST(SharedMap, ARowOf128BytesIsTheBanks) {
  SharedFixture f;
  f.film.shared_arrays = {{"line", 0, 256}};
  f.state.shared.resize(256);
  f.state.shared_written.assign(64, true);
  f.shapes = {{"line", "float", ptx::Type::kF32, 4, {64}}};
  const SharedGrid grid = shared_grids(f.film, f.state, f.shapes).front();
  EXPECT_EQ(grid.columns, 32u);
  EXPECT_TRUE(grid.row_is_all_banks);
  EXPECT_EQ(grid.index_of(33), "[33]");
}

TEST(SharedMap, CellsSayWhoTouchesThemAndWhatWasNeverWritten) {
  SharedFixture f;
  f.put(4 * 7, 2.5f);
  f.state.shared_written[8] = false;
  f.state.shared_written[21] = false;  // the upper half of more[0]
  f.access(0, 5, 2, 0x7);              // lanes 0, 1, 2 read words 5, 7, 9
  const auto grids = shared_grids(f.film, f.state, f.shapes);
  const SharedCell seven = shared_cell(grids[0], f.state, 7, f.sites);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(seven.bits)), 2.5f);
  EXPECT_TRUE(seven.written);
  EXPECT_EQ(seven.touched, 2u);
  EXPECT_FALSE(seven.stored);
  EXPECT_FALSE(shared_cell(grids[0], f.state, 8, f.sites).written);
  EXPECT_EQ(shared_cell(grids[0], f.state, 8, f.sites).touched, 0u);
  EXPECT_FALSE(shared_cell(grids[1], f.state, 0, f.sites).written);
  EXPECT_TRUE(shared_cell(grids[1], f.state, 1, f.sites).written);
  f.access(1, 7, 0, 0xf0);
  EXPECT_EQ(shared_cell(grids[0], f.state, 7, f.sites).touched, 0xf2u);
  EXPECT_TRUE(shared_cell(grids[0], f.state, 7, f.sites).stored);
}

TEST(SharedMap, LanesThatShareABankAreFoundByIt) {
  SharedFixture f;
  f.access(0, 0, 16, 0xf);  // words 0, 16, 32, 48: banks 0 and 16, alternating
  EXPECT_EQ(lanes_of_bank(f.state, 0), 0x5u);
  EXPECT_EQ(lanes_of_bank(f.state, 16), 0xau);
  EXPECT_EQ(lanes_of_bank(f.state, 1), 0u);
}

TEST(SharedMap, TheTableHasARowForEachElement) {
  SharedFixture f;
  f.put(4, 0.5f);
  f.state.shared_written[2] = false;
  const std::string csv = shared_csv(shared_grids(f.film, f.state, f.shapes), f.state);
  EXPECT_NE(csv.find("\ntile,[0][1],4,0.5\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\ntile,[0][2],8,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nmore,[3],104,0\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace warpshop::ui
