import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's clock tick on Linux. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;
const MIB = 1024 ** 2;

interface ProcessUsage {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
}

/** Reads `/proc/PID/stat` (man proc_pid_stat). Null if the process has ended. The program name may contain spaces. */
const readProcess = (pid: number): ProcessUsage | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]];
    const cpuSeconds = ((user + system) * TICK_MS) / 1_000;
    return { pid, parent, cpuSeconds, mebibytes: (pages * PAGE_BYTES) / MIB };
  } catch {
    return null;
  }
};

/** CPU seconds and resident memory of a process and all its descendants. Works on Linux, as the embedded engine does. */
export const processTreeUsage = (
  root: number,
): { readonly cpuSeconds: number; readonly mebibytes: number } => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const children = Map.groupBy(all, ({ parent }) => parent);
  const members = all.filter(({ pid }) => pid === root);
  for (const { pid } of members) members.push(...(children.get(pid) ?? []));
  return {
    cpuSeconds: members.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    mebibytes: members.reduce((sum, { mebibytes }) => sum + mebibytes, 0),
  };
};
