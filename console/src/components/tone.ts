/** What a state means for the reader: fine, to be watched, or wrong. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';
