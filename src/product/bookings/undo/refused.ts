/** Why a change can't be undone. */

const inWords = {
  alreadyUndone: 'This change was undone already',
  notYours: 'Only who made a change can undo it',
  changedMeanwhile: 'The booking was changed since',
  tooLate: 'The time in which this change could be undone is over',
} as const;
export type UndoRefusal = keyof typeof inWords;

/** Nothing was changed by the refused undo. */
export class UndoRefused extends Error {
  readonly reason: UndoRefusal;
  readonly recordId: string;
  /** The version of the record after the change; with `changedMeanwhile`, a later version is the reason. */
  readonly version: number;

  constructor(reason: UndoRefusal, recordId: string, version: number) {
    super(inWords[reason]);
    this.name = 'UndoRefused';
    this.reason = reason;
    this.recordId = recordId;
    this.version = version;
  }
}
