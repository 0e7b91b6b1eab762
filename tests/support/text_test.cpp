// Text from outside, as it is shown on a terminal and written into JSON.
#include "src/support/text.h"

#include "tests/catch.h"

using namespace cugrb;

TEST_CASE("names are shown without what a terminal would obey") {
  CHECK(printable("graph.mtx") == "graph.mtx");
  CHECK(printable("Gr\xc3\xbc\xc3\x9f"
                  "e \xe2\x82\xac \xf0\x9f\x98\x80") ==
        "Gr\xc3\xbc\xc3\x9f"
        "e \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK(printable("a\x1b[31mb\n\t\r\x7f") == "a\\e[31mb\\n\\t\\r\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\u{009b}31m");
  CHECK(printable("\xe2\x80\xaetxt") == "\\u{202e}txt");
  CHECK(printable("a\xff\xc3") == "a\\xff\\xc3");
  CHECK(printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
  CHECK(valid_utf8("a\x1b\n\xff\xc3\xbc") == "a\x1b\n\\xff\xc3\xbc");
}
