// The version of the program and of its library.
#pragma once

#define COLLSIM_VERSION "0.9.0"
