#include "chess/tables.h"

#include "attack_tables.h"
