#include "export/export_internal.h"
rbv_status rbv_export_urdf(export_job *e) { (void)e; return RBV_OK; }
rbv_status rbv_export_mjcf(export_job *e) { (void)e; return RBV_OK; }
rbv_status rbv_export_yaml(export_job *e) { (void)e; return RBV_OK; }
