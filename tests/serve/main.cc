// As the program itself, these tests start this program again, to compile in other processes.
#include <gtest/gtest.h>

#include "compile/child.h"
#include "serve/compile_child.h"

int main(int argc, char** argv) {
  warpshop::compile::compile_if_child(argc, argv);
  warpshop::serve::compile_for_class_if_child(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
