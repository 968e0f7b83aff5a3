// As the program itself, these tests compile in a child process, which is this program again.
#include <gtest/gtest.h>

#include "compile/child.h"

int main(int argc, char** argv) {
  warpshop::compile::compile_if_child(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
