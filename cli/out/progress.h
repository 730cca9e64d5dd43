// What a long command says on stderr while it runs.
#pragma once

// Shows how far it is, if stderr is a terminal: "mpi: 3 of 8" if `user` is the text "mpi", and "3 of 8 points" if it is
// NULL. The line disappears at the end, that is, when done is total.
void progress_show(int done, int total, void *user);
// Takes away the line that progress_show has left.
void progress_clear(void);
