/** Bounds in billions of parameters, as decimal strings. Equal if the value is known. */
export interface Range {
  readonly min: string;
  readonly max: string;
}

export interface ModelSize {
  /** All weights. They must fit in GPU memory. */
  readonly total: Range;
  /** Weights used for each token. A mixture of experts uses only a part of them. */
  readonly active: Range;
  /** Bytes of a weight of a model that is published with fewer bits than providers serve others with. */
  readonly weightBytes?: string;
}
