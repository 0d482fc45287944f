/** A file that the directory named, and that was replaced since. The caller reads the directory again. */
export class ArchiveFileReplaced extends Error {}
