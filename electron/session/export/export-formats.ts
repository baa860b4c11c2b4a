import type { ExportFormatName } from '../../../shared/model/export/export-format.ts';
import { exportHar } from '../har/har-export.ts';
import { exportCsv } from './csv-export.ts';
import { exportCurl } from './curl-export.ts';
import type { WriteExport } from './export-job.ts';
import { exportSession } from './session-export.ts';

/**
 * How each format is written. A new format: its name and extension in shared/model/export/export-format.ts, a file
 * here.
 */
export const EXPORT_FORMATS: Record<ExportFormatName, WriteExport> = {
  har: exportHar,
  roundtrip: exportSession,
  curl: exportCurl,
  csv: exportCsv,
};
