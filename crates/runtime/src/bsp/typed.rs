//! The functions of `bsp.h` with sizes or numbers of processors: each for `int`, and for `unsigned int` with
//! `size_t`.

use std::ffi::{c_char, c_int, c_uint, c_void};

use cll_bsp::Misuse;

use super::call::Call;
use super::number::{self, Number};
use super::{area, collective, queue, start};

/// `cll_bsp_operator`.
type Operator<Size> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, *mut Size);

/// The place of a call: `file` and `line`.
macro_rules! call {
    ($name:literal, $file:ident, $line:ident) => {
        // SAFETY: `file` is null or a string literal, as `bsp.h` has it.
        unsafe { Call::new($name, $file, $line) }
    };
}

/// The place of a call that ends a superstep.
macro_rules! ending_call {
    ($name:expr, $file:ident, $line:ident) => {
        // SAFETY: as above.
        unsafe { Call::ending($name, $file, $line) }
    };
}

macro_rules! functions {
    ($Pid:ty, $Size:ty; $begin:ident $nprocs:ident $pid:ident $push_reg:ident $put:ident $get:ident
     $hpput:ident $hpget:ident $direct_get:ident $set_tagsize:ident $send:ident $hpsend:ident $qsize:ident
     $get_tag:ident $move:ident $hpmove:ident $bcast:ident $gather:ident $scatter:ident $fold:ident
     $scan:ident) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $begin(most: $Pid, file: *const c_char, line: c_int) {
            start::begin(call!("bsp_begin", file, line), i64::from(most));
        }

        #[unsafe(no_mangle)]
        extern "C" fn $nprocs() -> $Pid {
            <$Pid>::from_count(start::nprocs())
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $pid(file: *const c_char, line: c_int) -> $Pid {
            <$Pid>::from_count(call!("bsp_pid", file, line).part().processor.pid())
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $push_reg(
            address: *const c_void,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            let call = call!("bsp_push_reg", file, line);
            let size = call.must(number::size(size));
            // SAFETY: as `bsp.h` requires.
            unsafe { area::push_reg(call, address.cast(), size) };
        }

        functions!(@put "bsp_put" $put put $Pid, $Size; area::put_short);
        functions!(@put "bsp_hpput" $hpput hpput $Pid, $Size;);
        functions!(@get "bsp_get" $get get $Pid, $Size);
        functions!(@get "bsp_hpget" $hpget hpget $Pid, $Size);
        functions!(@get "bsp_direct_get" $direct_get direct_get $Pid, $Size);

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $set_tagsize(size: *mut $Size, file: *const c_char, line: c_int) {
            let call = call!("bsp_set_tagsize", file, line);
            // SAFETY: as `bsp.h` requires.
            let size = call.must(unsafe { size.as_mut() }.ok_or(Misuse::NullPointer("the size")));
            let wanted = call.must(number::size(*size));
            *size = <$Size>::from_count(queue::set_tagsize(call, wanted));
        }

        functions!(@send "bsp_send" $send $Pid, $Size);
        functions!(@send "bsp_hpsend" $hpsend $Pid, $Size);

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $qsize(
            messages: *mut $Pid,
            bytes: *mut $Size,
            file: *const c_char,
            line: c_int,
        ) {
            let (count, total) = queue::qsize(call!("bsp_qsize", file, line));
            // SAFETY: as `bsp.h` requires.
            unsafe {
                if let Some(messages) = messages.as_mut() {
                    *messages = <$Pid>::from_count(count);
                }
                if let Some(bytes) = bytes.as_mut() {
                    *bytes = <$Size>::from_count(total);
                }
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $get_tag(
            status: *mut $Size,
            tag: *mut c_void,
            file: *const c_char,
            line: c_int,
        ) {
            let call = call!("bsp_get_tag", file, line);
            // SAFETY: as `bsp.h` requires.
            unsafe {
                let status = call.must(status.as_mut().ok_or(Misuse::NullPointer("the status")));
                *status = queue::get_tag(call, tag.cast()).map_or(<$Size>::NONE, <$Size>::from_count);
            }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $move(
            payload: *mut c_void,
            most: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            let call = call!("bsp_move", file, line);
            let most = call.must(number::size(most));
            // SAFETY: as `bsp.h` requires.
            unsafe { queue::move_payload(call, payload.cast(), most) };
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $hpmove(
            tag: *mut *mut c_void,
            payload: *mut *mut c_void,
            file: *const c_char,
            line: c_int,
        ) -> $Size {
            let call = call!("bsp_hpmove", file, line);
            call.part();
            // SAFETY: as `bsp.h` requires.
            let (tag, payload) = unsafe { (tag.as_mut(), payload.as_mut()) };
            let tag = call.must(tag.ok_or(Misuse::NullPointer("the pointer to the tag")));
            let payload =
                call.must(payload.ok_or(Misuse::NullPointer("the pointer to the payload")));
            let Some(message) = queue::take_aligned(call) else { return <$Size>::NONE };
            (*tag, *payload) = (message.tag.cast(), message.payload.cast());
            <$Size>::from_count(message.size)
        }

        functions!(@rooted "bsp_bcast" $bcast broadcast $Pid, $Size);
        functions!(@rooted "bsp_gather" $gather gather $Pid, $Size);
        functions!(@rooted "bsp_scatter" $scatter scatter $Pid, $Size);
        functions!(@fold "bsp_fold" $fold false $Size);
        functions!(@fold "bsp_scan" $scan true $Size);
    };

    // With a fast path for short puts: it does only what they need, and jumps to the rest of the call.
    (@put $name:literal $function:ident $inner:ident $Pid:ty, $Size:ty; $($short:path)?) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function(
            to: $Pid,
            source: *const c_void,
            destination: *mut c_void,
            offset: $Size,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            #[inline(never)]
            unsafe extern "C" fn complete_call(
                to: $Pid,
                source: *const c_void,
                destination: *mut c_void,
                offset: $Size,
                size: $Size,
                file: *const c_char,
                line: c_int,
            ) {
                if size == 0 {
                    return;
                }
                let call = call!($name, file, line);
                let to = call.must(number::pid(to));
                let offset = call.must(number::offset(offset));
                let size = call.must(number::size(size));
                let destination = destination.cast_const().cast();
                // SAFETY: as `bsp.h` requires.
                unsafe { area::$inner(call, to, source.cast(), destination, offset, size) };
            }
            $(
                if let (Ok(to), Ok(offset), Ok(size)) = (to.count(), offset.count(), size.count()) {
                    let destination = destination.cast_const().cast();
                    // SAFETY: as `bsp.h` requires.
                    if unsafe { $short(to, source.cast(), destination, offset, size) } {
                        return;
                    }
                }
            )?
            // SAFETY: as `bsp.h` requires.
            unsafe { complete_call(to, source, destination, offset, size, file, line) }
        }
    };

    (@get $name:literal $function:ident $inner:ident $Pid:ty, $Size:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function(
            from: $Pid,
            source: *const c_void,
            offset: $Size,
            destination: *mut c_void,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            if size == 0 {
                return;
            }
            let call = call!($name, file, line);
            let from = call.must(number::pid(from));
            let offset = call.must(number::offset(offset));
            let size = call.must(number::size(size));
            // SAFETY: as `bsp.h` requires.
            unsafe { area::$inner(call, from, source.cast(), offset, destination.cast(), size) };
        }
    };

    (@send $name:literal $function:ident $Pid:ty, $Size:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function(
            to: $Pid,
            tag: *const c_void,
            payload: *const c_void,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            #[inline(never)]
            unsafe extern "C" fn complete_call(
                to: $Pid,
                tag: *const c_void,
                payload: *const c_void,
                size: $Size,
                file: *const c_char,
                line: c_int,
            ) {
                let call = call!($name, file, line);
                let to = call.must(number::pid(to));
                let size = call.must(number::size(size));
                // SAFETY: as `bsp.h` requires.
                unsafe { queue::send(call, to, tag.cast(), payload.cast(), size) };
            }
            if let (Ok(to), Ok(size)) = (to.count(), size.count()) {
                // SAFETY: as `bsp.h` requires.
                if unsafe { queue::send_short(to, tag.cast(), payload.cast(), size) } {
                    return;
                }
            }
            // SAFETY: as `bsp.h` requires.
            unsafe { complete_call(to, tag, payload, size, file, line) }
        }
    };

    (@rooted $name:literal $function:ident $inner:ident $Pid:ty, $Size:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function(
            root: $Pid,
            source: *const c_void,
            destination: *mut c_void,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            let call = ending_call!($name, file, line);
            let root = call.must(number::pid(root));
            let size = call.must(number::size(size));
            // SAFETY: as `bsp.h` requires.
            unsafe { collective::$inner(call, root, source.cast(), destination.cast(), size) };
        }
    };

    (@fold $name:literal $function:ident $prefix:literal $Size:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $function(
            operator: Option<Operator<$Size>>,
            source: *const c_void,
            destination: *mut c_void,
            size: $Size,
            file: *const c_char,
            line: c_int,
        ) {
            let call = ending_call!($name, file, line);
            let combine = operator.map(|operator| {
                move |result: *mut c_void, left: *mut c_void, right: *mut c_void| {
                    let mut size = size;
                    // SAFETY: the program's own, called as `bsp.h` says.
                    unsafe { operator(result, left, right, &mut size) };
                }
            });
            let size = call.must(number::size(size));
            let (source, destination) = (source.cast(), destination.cast());
            // SAFETY: as `bsp.h` requires.
            unsafe { collective::fold(call, $prefix, combine, source, destination, size) };
        }
    };
}

functions!(c_int, c_int; cll_bsp_begin cll_bsp_nprocs cll_bsp_pid cll_bsp_push_reg cll_bsp_put
    cll_bsp_get cll_bsp_hpput cll_bsp_hpget cll_bsp_direct_get cll_bsp_set_tagsize cll_bsp_send cll_bsp_hpsend
    cll_bsp_qsize cll_bsp_get_tag cll_bsp_move cll_bsp_hpmove cll_bsp_bcast cll_bsp_gather
    cll_bsp_scatter cll_bsp_fold cll_bsp_scan);

functions!(c_uint, usize; cll_bspz_begin cll_bspz_nprocs cll_bspz_pid cll_bspz_push_reg cll_bspz_put
    cll_bspz_get cll_bspz_hpput cll_bspz_hpget cll_bspz_direct_get cll_bspz_set_tagsize cll_bspz_send cll_bspz_hpsend
    cll_bspz_qsize cll_bspz_get_tag cll_bspz_move cll_bspz_hpmove cll_bspz_bcast cll_bspz_gather
    cll_bspz_scatter cll_bspz_fold cll_bspz_scan);
