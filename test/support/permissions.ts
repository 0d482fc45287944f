import { appendFileSync } from 'node:fs';
import type { Runtime } from '../../local/runtime.ts';

/** Set to a file, adds every permission that functions use: `RECORD_PERMISSIONS=/tmp/used npx vitest run test/e2e`. */
const RECORD = process.env['RECORD_PERMISSIONS'];

/** Throws if a function lacked a permission. Adds the used permissions to the record, if there is one. */
export const checkPermissions = ({ permissions }: Pick<Runtime, 'permissions'>): void => {
  if (RECORD !== undefined) {
    for (const [functionId, used] of Object.entries(permissions.used())) {
      for (const { action, resource } of used)
        appendFileSync(RECORD, `${functionId} ${action} ${resource}\n`);
    }
  }
  const denied = permissions.denied();
  if (denied.length > 0) throw new Error(`Access denied:\n${denied.join('\n')}`);
};
