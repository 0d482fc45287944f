import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'attribution-'));
