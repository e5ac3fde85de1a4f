int cmd_names(int argc, char **argv); int cmd_names(int argc, char **argv){(void)argc;(void)argv;return 0;}
