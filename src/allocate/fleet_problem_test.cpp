#include "allocate/fleet_problem.h"

#include <gtest/gtest.h>
