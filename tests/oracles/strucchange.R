# strucchange::breakpoints(value ~ time, h) on every set of sets.txt; one .out.txt a set, 17 digits.
# A break is the number of the last row of a segment.
suppressMessages(library(strucchange))
sets <- read.table("sets.txt", stringsAsFactors = FALSE)
for (k in 1:nrow(sets)) {
  name <- sets[k, 1]
  h <- sets[k, 2]
  points <- read.csv(paste0(name, ".in.csv"), sep = ";")
  found <- breakpoints(points$value ~ points$time, h = h)
  per_breaks <- summary(found)$RSS
  out <- paste0(name, ".out.txt")
  cat("", file = out)
  put <- function(...) cat(..., "\n", file = out, append = TRUE, sep = " ")
  put("hsize", floor(nrow(points) * h))
  put("RSS", sprintf("%.17g", per_breaks["RSS", ]))
  for (m in 1:(ncol(per_breaks) - 1)) put("bp", m, breakpoints(found, breaks = m)$breakpoints)
  put("chosen", if (is.na(found$breakpoints[1])) 0 else length(found$breakpoints))
}
