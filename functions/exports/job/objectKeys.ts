import type { FileFormat } from '../../../schemas/focus.ts';

/** Where the files of an export lie. A part is named before anybody knows how many follow; the manifest lists them all. */
export const objectKeys = (tenantId: string, exportId: string) => {
  const folder = `exports/tenant=${tenantId}/${exportId}`;
  return {
    file: (month: string, part: number, format: FileFormat): string =>
      `${folder}/BILLING_PERIOD=${month}/part-${String(part).padStart(5, '0')}.${format}`,
    manifest: `${folder}/manifest.json`,
    metadata: `${folder}/focus-metadata.json`,
  };
};
