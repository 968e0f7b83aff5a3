// printf is declared by NVRTC itself; a device has no other output.
#pragma once
