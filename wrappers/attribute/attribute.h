/* Attributes that every MPI has. */
#ifndef CS_WRAPPERS_ATTRIBUTE_ATTRIBUTE_H
#define CS_WRAPPERS_ATTRIBUTE_ATTRIBUTE_H

/* Notes the predefined keyvals with their names, once MPI is initialised. */
void cs_attributes_predefined(void);

#endif
