struct element {
  double value;
  struct element *next;
};
void scale(struct element *list, double by) {
  for (struct element *e = list; e; e = e->next)
    e->value *= by;
}
