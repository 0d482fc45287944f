import { exportReader, exportStore, exportWatchStore } from '../../chargeback/exports/job/export.store.ts';
import { scheduleReader, scheduleStore } from '../../chargeback/exports/schedules/schedule.store.ts';

export const exportsRead = (table: string) => ({
  exports: exportReader(table),
  exportSchedules: scheduleReader(table),
});
export const exportsWrite = (table: string) => ({
  exportStore: exportStore(table),
  scheduleStore: scheduleStore(table),
});
export const exportsManage = (table: string) => ({
  exports: exportWatchStore(table),
  schedules: scheduleReader(table),
});
