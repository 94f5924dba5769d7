// The first page: only the device line.
import {start} from "./common.js";

await start();
