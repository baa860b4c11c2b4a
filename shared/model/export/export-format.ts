import * as v from 'valibot';

/** The formats that a session can be exported to, in the order in which they are offered. */
export const EXPORT_FORMAT_INFO = {
  har: { label: 'HAR', extension: 'har', description: 'HTTP Archive (HAR)' },
  roundtrip: { label: 'Session', extension: 'roundtrip', description: 'Roundtrip session' },
  curl: { label: 'cURL script', extension: 'sh', description: 'Shell script of cURL commands' },
  csv: { label: 'CSV', extension: 'csv', description: 'Table (CSV)' },
} as const;

export type ExportFormatName = keyof typeof EXPORT_FORMAT_INFO;
export const EXPORT_FORMAT_NAMES = Object.keys(EXPORT_FORMAT_INFO) as ExportFormatName[];
export const ExportFormatSchema = v.picklist(EXPORT_FORMAT_NAMES);
