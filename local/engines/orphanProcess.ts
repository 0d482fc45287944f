import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends an engine that an earlier run left behind, which needs its guard to have been killed too. A number in a pid file
 * may since belong to a stranger, so only a process whose command line holds our data file is touched.
 */
export async function killOrphan(pidFile: string, dataFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (Number.isInteger(pid) && pid > 1 && commandLine(pid).includes(dataFile)) {
    process.kill(pid, 'SIGKILL');
    while (commandLine(pid).includes(dataFile)) await sleep(5);
  }
  rmSync(pidFile, { force: true });
}

/** The command line of a process, or nothing where there is none or this system does not tell. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
