// What a verb may write to, by name: never what it reads. Asked before anything is computed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"

namespace wattflex::app {

class Arguments;

// The file the option names; "-" is standard output.
std::string output_path(const Arguments& arguments, std::string_view option);

// Refuses it where it is one of the files that the options `inputs` name, by whatever path or link.
Result<void> keep_inputs(const Arguments& arguments, std::string_view option,
                         std::initializer_list<std::string_view> inputs);

// The same for a folder: none of the inputs may be a file in it with one of these endings (".svg").
Result<void> keep_inputs_in_folder(const Arguments& arguments, std::string_view option,
                                   std::initializer_list<std::string_view> inputs,
                                   std::initializer_list<std::string_view> endings);

}  // namespace wattflex::app
