import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Kills an engine that an earlier run left behind. This happens only if its supervisor was killed too. The process id may
 * have been reused, so only a process with our data file on its command line is killed.
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

/** The command line of a process. Empty if it does not exist or the system does not show it. */
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
