// x[1, 2] = 5
static void element(char *line) {
  char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL, *sign = close ? strchr(close, '=') : NULL;
  if (!sign) stop("an element is given as in x[1] = 5");
  *open = *close = 0;
  char *name = line + strspn(line, " \t");
  for (const struct array *array = arrays; array->name; array++) {
    if (strcmp(name, array->name)) continue;
    int64_t key[16] = {0};
    char *text = open + 1;
    if (array->n_dims > 16) stop("too many subscripts");
    for (int d = 0; d < array->n_dims; d++, text += strspn(text, " \t,")) key[d] = strtoll(text, &text, 10);
    union value *value = find(array->table, array->n_dims, key);
    if (!value) value = set(array->table, array->n_dims, key);
    if (array->is_real) value->real = strtod(sign + 1, NULL);
    else value->whole = strtoll(sign + 1, NULL, 10);
    return;
  }
}

static void *begin(void *nothing) {
  run();
  return nothing;
}

int main(int argc, char **argv) {
  for (const char **name = parameters; *name; name++) {
    int n_given = 0;
    for (int a = 1; a < argc; a++) {
      size_t length = strlen(*name);
      if (strncmp(argv[a], *name, length) || argv[a][length] != '=') continue;
      *parameter(*name) = strtoll(argv[a] + length + 1, NULL, 10);
      n_given++;
    }
    if (n_given != 1) {
      fprintf(stderr, "the parameter %s is to be given once: %s=NUMBER\n", *name, *name);
      return 1;
    }
  }
  char line[4096];
  while (fgets(line, sizeof line, stdin))
    if (line[strspn(line, " \t\n")]) element(line);
  pthread_attr_t stack;
  pthread_t thread;
  pthread_attr_init(&stack);
  pthread_attr_setstacksize(&stack, (size_t)1 << 33);
  if (pthread_create(&thread, &stack, begin, NULL)) {
    pthread_attr_setstacksize(&stack, (size_t)1 << 28);
    if (pthread_create(&thread, &stack, begin, NULL)) stop("there is no memory for the stack");
  }
  pthread_join(thread, NULL);
  return 0;
}
