//! Calls of MPI that the library makes for itself: the log of a program's calls leaves them out.

use std::ffi::c_int;
use std::sync::OnceLock;

/// `cll_calls_own` of the wrapper.
type Tell = extern "C" fn(c_int);

/// While it exists, calls of this thread are the library's own.
pub struct OwnCalls(Option<Tell>);

impl OwnCalls {
    /// From now on.
    pub fn begin() -> OwnCalls {
        static TELL: OnceLock<Option<Tell>> = OnceLock::new();
        let tell = *TELL.get_or_init(|| {
            // SAFETY: a name; the symbol, if the wrapper is loaded, has this type.
            unsafe {
                let address = libc::dlsym(libc::RTLD_DEFAULT, c"cll_calls_own".as_ptr());
                (!address.is_null())
                    .then(|| std::mem::transmute::<*mut std::ffi::c_void, Tell>(address))
            }
        });
        if let Some(tell) = tell {
            tell(1);
        }
        OwnCalls(tell)
    }
}

impl Drop for OwnCalls {
    fn drop(&mut self) {
        if let Some(tell) = self.0 {
            tell(0);
        }
    }
}
