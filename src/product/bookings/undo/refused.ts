/** Why a change is not taken back. */

const inWords = {
  alreadyUndone: 'This change was undone already',
  notYours: 'Only who made a change can undo it',
  changedMeanwhile: 'The booking was changed since',
  tooLate: 'The time in which this change could be undone is over',
} as const;
export type UndoRefusal = keyof typeof inWords;

/** Nothing was changed. */
export class UndoRefused extends Error {
  readonly reason: UndoRefusal;
  readonly recordId: string;
  /** The version that the change had made of the record: what came after it is why, with `changedMeanwhile`. */
  readonly version: number;

  constructor(reason: UndoRefusal, recordId: string, version: number) {
    super(inWords[reason]);
    this.name = 'UndoRefused';
    this.reason = reason;
    this.recordId = recordId;
    this.version = version;
  }
}
