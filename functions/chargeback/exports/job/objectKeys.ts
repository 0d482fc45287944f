import type { FileFormat } from '../../../../schemas/chargeback/focus.ts';

/**
 * Object keys of an export. A key cannot contain the number of parts, which is not known yet. The manifest lists all files.
 */
export const objectKeys = (tenantId: string, exportId: string) => {
  const folder = `exports/tenant=${tenantId}/${exportId}`;
  return {
    file: (month: string, part: number, format: FileFormat): string =>
      `${folder}/BILLING_PERIOD=${month}/part-${String(part).padStart(5, '0')}.${format}`,
    manifest: `${folder}/manifest.json`,
    metadata: `${folder}/focus-metadata.json`,
  };
};
