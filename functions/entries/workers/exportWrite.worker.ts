import { WriteInput, write } from '../../chargeback/exports/steps/write.ts';
import { exportsDeliver, exportWorkReadWrite } from '../stores/chargeback/exportFiles.ts';
import { environment } from '../stores/environment.ts';
import { storesIn } from '../stores/provider.ts';

const step = write(storesIn(environment, { exportWorkReadWrite, exportsDeliver }));

/** Writes the files of a key range of an export. Invoked only by the export state machine. */
export const handler = (event: unknown) => step(WriteInput.parse(event));
