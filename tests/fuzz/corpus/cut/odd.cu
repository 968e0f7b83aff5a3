template <> template < ( { [ #define HD __device__
#include
# 
#pragma once
} ) ] > :: -> <<< 1, 2 >>> "open
/* open