// A file that came with a request.

/** An uploaded file on the disk that was not empty. It is deleted after the answer, unless it is kept. */
export class UploadedFile {
  filename: string;
  claimedType: string;
  path: string;
  size: number;
  isKept = false;
  constructor(filename: string, claimedType: string, path: string, size: number) {
    this.filename = filename;
    this.claimedType = claimedType;
    this.path = path;
    this.size = size;
  }
}
