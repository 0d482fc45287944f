/** A bucket: private, encrypted, over TLS only. */
export interface BucketShape {
  /** Days after which an object is deleted. */
  readonly expiresAfterDays: number;
  /** Starts of the keys of objects that expire. Absent if all do. */
  readonly expiringPrefixes?: readonly string[];
  /** Days for which S3 keeps what was deleted or replaced. Absent where the objects can be made again. */
  readonly keepsDeletedDays?: number;
  readonly holds: string;
}

export const buckets = {
  artefacts: {
    // Longer than the retention of any record whose model version may be recalled and replayed.
    expiresAfterDays: 800,
    // Loaded prices stay for as long as they are in force, and for the records that name them.
    expiringPrefixes: ['models/', 'training/'],
    holds: 'Artefacts of trained models by tenant and version, and loaded prices by version',
  },
  exports: {
    // One day more than promised, because files are written before their export finishes.
    expiresAfterDays: 31,
    holds: 'Files of FOCUS exports by tenant, month and export, with their manifests',
  },
  archive: {
    // The retention of records, and some days: a file is written after its day.
    expiresAfterDays: 780,
    // The only copy of records older than 56 days. As long as point-in-time backups of the tables.
    keepsDeletedDays: 35,
    holds: 'Closed days of the ledger by tenant and day, as Parquet files with their manifests',
  },
  exportWork: {
    expiresAfterDays: 2,
    holds: 'Intermediate data of exports and allocations',
  },
} as const satisfies Record<string, BucketShape>;
export type BucketName = keyof typeof buckets;
export const bucketNames = Object.keys(buckets) as BucketName[];
