import { fileStore, workStore } from '../../chargeback/exports/files/file.store.ts';
import { WriteInput, write } from '../../chargeback/exports/steps/write.ts';
import { resource } from '../../platform/shared/settings.ts';

const step = write({
  work: workStore(resource('bucket', 'exportWork')),
  files: fileStore(resource('bucket', 'exports')),
});

/** Writes the files of a key range of an export. Invoked only by the export state machine. */
export const handler = (event: unknown) => step(WriteInput.parse(event));
