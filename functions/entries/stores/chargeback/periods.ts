import { closingReader, closingStore } from '../../../insight/periods/closing.store.ts';
import { periodVersionReader } from '../../../ledger/rollups/periodVersions.store.ts';

export const closingsRead = (table: string) => ({ closings: closingReader(table) });
export const closingsWrite = (table: string) => ({ closingStore: closingStore(table) });
export const periodsRead = (table: string) => ({ periodVersions: periodVersionReader(table) });
