import * as z from 'zod';
import type { DeliveredTo } from '../../../../schemas/chargeback/exportDelivery.ts';
import { ExportFile } from '../../../../schemas/chargeback/exportManifest.ts';

/** The manifest of an export, as far as its delivery reads it. The other members are passed on as they are. */
const SourceManifest = z.looseObject({ files: z.array(ExportFile) });
export type SourceManifest = z.infer<typeof SourceManifest>;

export const parseManifest = (bytes: Uint8Array): SourceManifest =>
  SourceManifest.parse(JSON.parse(Buffer.from(bytes).toString()));

/** The name of a file of an export, without its folder. */
export const fileNameOf = ({ key }: Pick<ExportFile, 'key'>): string => key.slice(key.lastIndexOf('/') + 1);

/**
 * The manifest for the bucket of a customer: files have their keys there. The same export and version give the same bytes, so
 * a repetition changes nothing.
 */
export const deliveredManifest = (
  { files, ...manifest }: SourceManifest,
  delivered: DeliveredTo,
  keyOf: (file: string) => string,
): string =>
  JSON.stringify(
    { ...manifest, files: files.map((file) => ({ ...file, key: keyOf(fileNameOf(file)) })), delivered },
    null,
    2,
  );
